import * as z from 'zod/mini';
import { email } from '#domain/agents/resource.ts';

test.each([
  'maria.delgado@example.com',
  "o'brien@example.com",
  "user'@example.com",
  'smith&sons@example.com',
  'a/b@example.com',
  'a=b@example.com',
  'user#1@example.com',
  "!#$%&'*+-/=?^_`{|}~.x@example.com",
  'MARIA+work@Sub.Example.CO',
  'ivan@example.xn--p1ai',
  'ivan@xn--e1afmkfd.XN--P1AI',
  'a@1-2.3m.example',
])('%s is an address', (address) => {
  expect(z.parse(email, address)).toBe(address);
});

test.each([
  'maria',
  '@example.com',
  'maria@',
  'maria@example',
  'maria@@example.com',
  'maria@example.com@example.com',
  '.maria@example.com',
  'maria.@example.com',
  'maria..delgado@example.com',
  'maria delgado@example.com',
  'maria@-example.com',
  'maria@.example.com',
  'maria@example..com',
  'maria@example.c',
  'maria@example.com.',
  'maria@example.123',
  'maria@example.xn--',
  'maria@example.xn--p1ai-',
  'maria@[192.0.2.1]',
  '"maria delgado"@example.com',
  'maria<delgado>@example.com',
  'maria,ann@example.com',
  'maría@example.com',
  'maria@bücher.example',
  'maria@example.com\nBcc: ann@example.com',
  `${'a'.repeat(243)}@example.com`,
])('%s is none', (address) => {
  expect(z.safeParse(email, address).success).toBe(false);
});
