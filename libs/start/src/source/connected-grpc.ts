import { closingAfter, plainSource, withImportLine } from './plain-source.js';

/** Where an app is created: `const app = await NestFactory.create(…)`, or `createNestApplication` in tests. */
const MADE =
  /(?:\b(?:const|let)\s+)?\b(\w+)(?::[^=;]+)?\s*=\s*(?:await\s+)?[\w.]+\.(?:create|createNestApplication)\s*(?:<[^()]*>)?\s*\(/g;

/** A semicolon, or in code without semicolons a line break that is not followed by a continuation. */
const STATEMENT_END = /^(?:\s*;|[ \t]*(?=\r?\n\s*[\w}/]))/;

/**
 * The source of a main or a test, with a call that connects the app to the gRPC server after the app is
 * created. Returns the same source if the app is already connected; undefined if the app is not created in a
 * separate statement.
 *
 * @param places `'one'`: also undefined if several apps are created; `'each'` of them is connected.
 */
export function withConnectedGrpc(
  source: string,
  places: 'one' | 'each' = 'one',
): string | undefined {
  const plain = plainSource(source);
  if (/\b(?:connectGrpc|runHost)\b/.test(plain)) return source;
  const made = [...plain.matchAll(MADE)];
  if (made.length === 0 || (made.length > 1 && places === 'one')) return undefined;
  let connected = source;
  // From the last one, so that the positions of the others stay.
  for (const each of made.toReversed()) {
    const end = closingAfter(plain, each.index + each[0].length - 1);
    const rest = end === undefined ? null : STATEMENT_END.exec(plain.slice(end));
    if (end === undefined || rest === null) return undefined;
    const after = end + rest[0].length;
    const indent = /[ \t]*$/.exec(plain.slice(0, each.index))?.[0] ?? '';
    const call = `\n${indent}connectGrpc(${each[1]});`;
    connected = `${connected.slice(0, after)}${call}${connected.slice(after)}`;
  }
  return withImportLine(connected, 'connectGrpc', '@apix/grpc');
}
