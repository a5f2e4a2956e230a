import type { Binding } from '@apix/gateway/core';

/** One line per rule: the HTTP method and path, and the RPC that it calls. */
export function describeBindings(bindings: readonly Binding[]): string {
  const rows = bindings.map(({ httpMethod, template, fullName }) => ({
    rest: `${httpMethod} ${template.source}`,
    fullName,
  }));
  const width = Math.max(0, ...rows.map(({ rest }) => rest.length));
  return rows.map(({ rest, fullName }) => `${rest.padEnd(width)}  ${fullName}\n`).join('');
}
