import { amountOf, centsOf } from '#domain/policies/stored.ts';

test.each([
  [0, 0n],
  [12.3, 1_230n],
  [1.005, 101n],
  [-1.005, -101n],
  [0.004, 0n],
  [0.005, 1n],
  [1e-9, 0n],
  [8.41, 841n],
  [1e12, 100_000_000_000_000n],
  [-999_999_999_999.99, -99_999_999_999_999n],
])('%d dollars are %d cents, rounded as they are written', (amount, cents) => {
  expect(centsOf(amount)).toBe(cents);
});

test.each([
  [0n, 0],
  [-5n, -0.05],
  [101n, 1.01],
  [7_036_874_417_766_399n, 70_368_744_177_663.99],
])('%d cents are %d dollars', (cents, amount) => {
  expect(amountOf(cents)).toBe(amount);
  expect(centsOf(amount)).toBe(cents);
});
