import { closingAfter, plainSource, withImportLine } from './plain-source.js';

/** Where an app is created: `const app = await NestFactory.create(…)`, or `createNestApplication` in tests. */
const MADE =
  /(?:\b(?:const|let)\s+)?\b(\w+)(?::[^=;]+)?\s*=\s*(?:await\s+)?[\w.]+\.(?:create|createNestApplication)\s*(?:<[^()]*>)?\s*\(/g;

/** A semicolon, or in code without semicolons a line break that is not followed by a continuation. */
const STATEMENT_END = /^(?:\s*;|[ \t]*(?=\r?\n\s*[\w}/]))/;

/**
 * The source of a main or a test, with a call that connects the app to the gRPC server after the app is
 * created. Returns the same source if the app is already connected; undefined if the app is not created in
 * exactly one place, in a separate statement.
 */
export function withConnectedGrpc(source: string): string | undefined {
  const plain = plainSource(source);
  if (/\b(?:connectGrpc|runHost)\b/.test(plain)) return source;
  const made = [...plain.matchAll(MADE)];
  const [first] = made;
  if (first === undefined || made.length > 1) return undefined;
  const end = closingAfter(plain, first.index + first[0].length - 1);
  const rest = end === undefined ? null : STATEMENT_END.exec(plain.slice(end));
  if (end === undefined || rest === null) return undefined;
  const after = end + rest[0].length;
  const indent = /[ \t]*$/.exec(plain.slice(0, first.index))?.[0] ?? '';
  const call = `\n${indent}connectGrpc(${first[1]});`;
  const connected = `${source.slice(0, after)}${call}${source.slice(after)}`;
  return withImportLine(connected, 'connectGrpc', '@apix/grpc');
}
