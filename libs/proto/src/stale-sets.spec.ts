import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProtoModule } from './nest/proto.module.js';
import { staleSets } from './stale-sets.js';

const SET = fileURLToPath(new URL('../../../apps/demo/gen/shop.binpb', import.meta.url));
const EARLIER = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-01T00:00:01Z');

let folder: string;
let set: string;
let protos: string;

function save(file: string, at: Date): string {
  writeFileSync(file, 'syntax = "proto3";');
  utimesSync(file, at, at);
  return file;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'apix-stale-'));
  set = join(folder, 'api.binpb');
  protos = join(folder, 'proto');
  mkdirSync(join(protos, 'shop/v1'), { recursive: true });
  copyFileSync(SET, set);
  utimesSync(set, EARLIER, EARLIER);
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('a descriptor set', () => {
  it('is stale when a source below its folder was saved later', () => {
    const newer = save(join(protos, 'shop/v1/orders.proto'), LATER);
    save(join(protos, 'shop/v1/other.proto'), EARLIER);
    expect(staleSets([set, new Uint8Array()], [protos])).toEqual([{ set, newer }]);
  });

  it.each<[string, () => void]>([
    ['its sources were saved before', () => save(join(protos, 'a.proto'), EARLIER)],
    ['only other files were saved later', () => save(join(protos, 'README.md'), LATER)],
    ['its sources are not there', () => rmSync(protos, { recursive: true })],
    ['it is not there itself', () => (save(join(protos, 'a.proto'), LATER), rmSync(set))],
  ])('is not stale when %s', (_, arrange) => {
    arrange();
    expect(staleSets(set, [protos])).toEqual([]);
  });
});

describe('an app with a stale set', () => {
  it('starts, and names the set and the file that is newer', async () => {
    const newer = save(join(protos, 'shop/v1/orders.proto'), LATER);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const imports = [ProtoModule.forRoot({ descriptors: set, sources: protos })];
    await (await Test.createTestingModule({ imports }).compile()).close();
    expect(warn.mock.calls).toEqual([
      [
        `${set} is older than ${newer}: build the descriptors again; until then callers get what they were`,
      ],
    ]);
  });

  it('says nothing where sources are not given', async () => {
    save(join(protos, 'shop/v1/orders.proto'), LATER);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    const imports = [ProtoModule.forRoot({ descriptors: set })];
    await (await Test.createTestingModule({ imports }).compile()).close();
    expect(warn).not.toHaveBeenCalled();
  });
});
