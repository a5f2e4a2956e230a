import { describe, expect, it } from '@jest/globals';
import { type LockPlace, defaultLockPath } from './default-lock-path.js';

const LINUX: LockPlace = { platform: 'linux', env: {}, uid: 1000, tmp: '/tmp' };

describe('defaultLockPath()', () => {
  it.each<[string, Partial<LockPlace>, string]>([
    [
      'the folder of the unit',
      { env: { RUNTIME_DIRECTORY: '/run/shop:/run/b', XDG_RUNTIME_DIR: '/run/user/1' } },
      '/run/shop/shop.lock',
    ],
    ["the user's own folder", { env: { XDG_RUNTIME_DIR: '/run/user/1' } }, '/run/user/1/shop.lock'],
    ['no folder that is not absolute', { env: { XDG_RUNTIME_DIR: 'run' } }, '/tmp/shop-1000.lock'],
    ['/run for root', { uid: 0 }, '/run/shop.lock'],
    ['the temporary folder of root on a Mac', { uid: 0, platform: 'darwin' }, '/tmp/shop-0.lock'],
    ["the user's number for others", {}, '/tmp/shop-1000.lock'],
    [
      '%ProgramData% on Windows',
      { platform: 'win32', uid: undefined, env: { ProgramData: 'C:\\ProgramData' } },
      'C:\\ProgramData\\shop.lock',
    ],
    [
      'the temporary folder of Windows without one',
      { platform: 'win32', uid: undefined, tmp: 'C:\\Temp' },
      'C:\\Temp\\shop.lock',
    ],
  ])('takes %s', (_, place, path) => {
    expect(defaultLockPath('shop', { ...LINUX, ...place })).toBe(path);
  });

  it.each(['', '.', '..', '../x', 'a/b', 'a\\b', 'a b', '.hidden', 'a\0', 'x'.repeat(101)])(
    'refuses the name %j',
    (name) => {
      expect(() => defaultLockPath(name)).toThrow('hostx-os: lock: name: ');
    },
  );
});
