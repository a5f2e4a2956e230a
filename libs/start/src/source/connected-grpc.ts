import { closingAfter, plainSource, withImportLine } from './plain-source.js';

/** Where Nest makes an app: `const app = await NestFactory.create(…)`, and in tests the other one. */
const MADE =
  /(?:\b(?:const|let)\s+)?\b(\w+)(?::[^=;]+)?\s*=\s*(?:await\s+)?[\w.]+\.(?:create|createNestApplication)\s*(?:<[^()]*>)?\s*\(/g;

/** A semicolon, or in a style without them a line break before what is no continuation. */
const STATEMENT_END = /^(?:\s*;|[ \t]*(?=\r?\n\s*[\w}/]))/;

/**
 * The source of a main, or of a test, in which the app is connected to the gRPC server once it is
 * made. The same where it is connected already; undefined where it is not made in one place, in a
 * statement of its own.
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
