import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProtoWatcher } from './proto-watcher.js';

let root = '';
let watcher: ProtoWatcher;
let onChange: () => void = () => {};
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'protos-'));
  await mkdir(join(root, 'shop/v1'), { recursive: true });
  await writeFile(join(root, 'shop/v1/orders.proto'), '');
  watcher = new ProtoWatcher(root, () => onChange());
});
afterEach(async () => {
  watcher.close();
  await rm(root, { recursive: true, force: true });
});

/** Makes the change, and resolves when the watcher has reported it. */
async function seen(change: () => Promise<unknown>): Promise<void> {
  const changed = new Promise<void>((resolve) => (onChange = resolve));
  await change();
  await changed;
}

const inPlace = (path: string) => () => writeFile(join(root, path), `// ${Math.random()}`);
const replaced = (path: string) => async () => {
  await writeFile(join(root, `${path}.tmp`), `// ${Math.random()}`);
  await rename(join(root, `${path}.tmp`), join(root, path));
};

describe('the .proto files of an app', () => {
  it('are watched after an editor has replaced one, again and again', async () => {
    const file = 'shop/v1/orders.proto';
    for (const save of [replaced, replaced, inPlace, replaced, inPlace]) await seen(save(file));
    expect.assertions(0);
  });

  it('are watched in a folder that was made later, whose files may be there before it is seen', async () => {
    await seen(async () => {
      await mkdir(join(root, 'admin/v1'), { recursive: true });
      await inPlace('admin/v1/users.proto')();
    });
    await seen(inPlace('admin/v1/users.proto'));
    await seen(replaced('admin/v1/users.proto'));
    expect.assertions(0);
  });

  it('are watched again when their folder was away, as with another branch', async () => {
    await seen(() => rm(join(root, 'shop'), { recursive: true }));
    await seen(async () => {
      await mkdir(join(root, 'shop/v1'), { recursive: true });
      await inPlace('shop/v1/orders.proto')();
    });
    await seen(replaced('shop/v1/orders.proto'));
    expect.assertions(0);
  });

  it('are the only ones: other files change nothing', async () => {
    const paths: string[] = [];
    onChange = () => paths.push('changed');
    await inPlace('shop/v1/README.md')();
    await seen(inPlace('shop/v1/orders.proto'));
    expect(paths).toEqual([]);
  });

  it('cannot be watched where there is no such folder', () => {
    expect(() => new ProtoWatcher(join(root, 'gone'), () => {})).toThrow(/ENOENT/);
  });
});
