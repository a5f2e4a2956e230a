import { readFileSync } from 'node:fs';
import type { HttpRuleInit } from '@apix/gateway/core';
import { thrownText } from '@apix/contracts';
import { FoundMistakes } from '../found-mistakes.js';
import { GatewayServerError } from '../errors.js';
import type { GatewaySettings } from '../settings/setting-table.js';
import { readRuleFile } from './read-rules.js';

/** The rules and descriptors that come from files. */
export interface ServedFiles {
  readonly rules: readonly HttpRuleInit[];
  /** Empty if the descriptors come from the server. */
  readonly descriptors: readonly Uint8Array[];
}

/** @throws GatewayServerError that lists every file that cannot be read. */
export function readSources({ rules, descriptors }: GatewaySettings): ServedFiles {
  const mistakes = new FoundMistakes();
  const read = {
    rules: mistakes.part(() => (rules === undefined ? [] : readRuleFile(rules))) ?? [],
    descriptors: descriptors.map((file) => mistakes.part(() => bytesOf(file)) ?? EMPTY),
  };
  mistakes.throwIfAny();
  return read;
}

const EMPTY = new Uint8Array(0);

function bytesOf(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (cause) {
    const hint = 'build it with `buf build -o`, or leave --descriptors out to ask the server';
    throw new GatewayServerError([`cannot read ${file}: ${thrownText(cause)}; ${hint}`], { cause });
  }
}
