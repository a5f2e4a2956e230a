import { readFileSync, statSync } from 'node:fs';
import { JsonError, thrownText } from '@apix/contracts';
import { readJsonText, yamlFaultText } from '@apix/contracts/internal';
import { parseDocument } from 'yaml';
import { GatewayServerError } from '../errors.js';

/** The largest file that is read, in bytes: more than anyone writes by hand, and small enough to read at once. */
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file of JSON if its name says so, else of YAML 1.2.
 *
 * @throws GatewayServerError that names the file and the line of the mistake.
 */
export function readDocumentFile(file: string): unknown {
  const text = textOf(file);
  return /\.json$/i.test(file) ? jsonIn(file, text) : yamlIn(file, text);
}

function jsonIn(file: string, text: string): unknown {
  try {
    return readJsonText(text).value;
  } catch (cause) {
    const place = cause instanceof JsonError ? `${file}:${cause.line}` : file;
    throw new GatewayServerError([`${place}: ${thrownText(cause)}`], { cause });
  }
}

function yamlIn(file: string, text: string): unknown {
  const document = parseDocument(text, { prettyErrors: true });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new GatewayServerError([`${file}: ${yamlFaultText(error)}`]);
  }
  try {
    // The library rejects aliases that expand without limit.
    return document.toJS();
  } catch (cause) {
    throw new GatewayServerError([`${file}: ${thrownText(cause)}`], { cause });
  }
}

function textOf(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > MOST_BYTES) throw new Error(`has ${size} bytes; at most ${MOST_BYTES} are read`);
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (cause) {
    throw new GatewayServerError([`cannot read ${file}: ${thrownText(cause)}`], { cause });
  }
}
