import { randomBytes } from 'node:crypto';
import type { SigningKey, SigningKeys } from '#platform/identity/access-tokens.ts';

/** Signing keys in memory, with a rotation as Secrets Manager would do it. */
export function memorySigningKeys(): SigningKeys & { rotate(): void } {
  let count = 0;
  const next = (): SigningKey => {
    count += 1;
    return { id: `version-${count}`, secret: randomBytes(64) };
  };
  let current = next();
  let previous: SigningKey | undefined;
  return {
    current: () => Promise.resolve(current),
    find: (id) => Promise.resolve([current, previous].find((key) => key?.id === id)),
    rotate() {
      previous = current;
      current = next();
    },
  };
}
