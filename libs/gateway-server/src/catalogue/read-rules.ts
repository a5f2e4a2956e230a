import type { HttpRuleInit } from '@apix/gateway/core';
import { GatewayServerError } from '../errors.js';
import { readDocumentFile } from '../settings/read-document.js';

/**
 * Reads the HTTP rules of a file: a list, or a google.api.Service with `http.rules`. The gateway checks the
 * content of each rule.
 *
 * @throws GatewayServerError for a file that cannot be read, or has other content.
 */
export function readRuleFile(file: string): readonly HttpRuleInit[] {
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
