import { spawnSync } from 'node:child_process';

test('types, style, and what may import what hold', () => {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'check'], { encoding: 'utf8' });
  expect({ status, found: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, found: '' });
});
