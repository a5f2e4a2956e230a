import type { Binding } from '@apix/gateway/core';

/** A line for each rule: the method and path of HTTP, and what it calls. */
export function describeBindings(bindings: readonly Binding[]): string {
  const rows = bindings.map(({ httpMethod, template, fullName }) => ({
    rest: `${httpMethod} ${template.source}`,
    fullName,
  }));
  const width = Math.max(0, ...rows.map(({ rest }) => rest.length));
  return rows.map(({ rest, fullName }) => `${rest.padEnd(width)}  ${fullName}\n`).join('');
}
