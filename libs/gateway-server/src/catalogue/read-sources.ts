import { readFileSync } from 'node:fs';
import { thrownText } from '@apix/contracts';
import type { HttpRuleInit } from '@apix/gateway/core';
import { GatewayServerError } from '../errors.js';
import { FoundMistakes } from '../found-mistakes.js';
import { readDocumentFile } from '../settings/read-document.js';
import { readPolicyFile, type PolicyEntry } from '../policies/policy-file.js';
import type { GatewaySettings } from '../settings/setting-table.js';

/** The rules, policies and descriptors that come from files. */
interface ServedFiles {
  readonly rules: readonly HttpRuleInit[];
  readonly policies: readonly PolicyEntry[];
  /** Empty if the descriptors come from the server. */
  readonly descriptors: readonly Uint8Array[];
}

/** @throws GatewayServerError that lists every file that cannot be read. */
export function readSources(settings: GatewaySettings): ServedFiles {
  const { rules, descriptors, 'policy-file': policies } = settings;
  const mistakes = new FoundMistakes();
  const read = {
    rules: mistakes.part(() => (rules === undefined ? [] : readRuleFile(rules))) ?? [],
    policies: mistakes.part(() => (policies === undefined ? [] : readPolicyFile(policies))) ?? [],
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

/**
 * Reads the HTTP rules of a file: a list, or a google.api.Service with `http.rules`. The gateway checks the
 * content of each rule.
 *
 * @throws GatewayServerError for a file that cannot be read, or has other content.
 */
function readRuleFile(file: string): readonly HttpRuleInit[] {
  const document = readDocumentFile(file);
  const rules = Array.isArray(document) ? document : memberOf(memberOf(document, 'http'), 'rules');
  if (Array.isArray(rules)) return rules as HttpRuleInit[];
  throw new GatewayServerError([
    `${file}: must be a list of HTTP rules, or a google.api.Service with http.rules`,
  ]);
}

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
