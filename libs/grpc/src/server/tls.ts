import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { messageOf } from '../errors.js';

/** PEM text or bytes, or the path of a PEM file, which is read anew when the host reloads. */
export type Pem = string | Uint8Array;

export interface TlsOptions {
  /** The server's certificate, followed by those between it and its authority. Required. */
  readonly cert: Pem;
  /** The private key of the certificate. Required. */
  readonly key: Pem;
  /**
   * Authorities of client certificates. Given, every client must show a certificate of theirs
   * (mutual TLS), and calls carry it as `peer.certificate`. Default: clients need none.
   */
  readonly clientCa?: Pem;
}

/** What the options name, read and checked. */
export interface PemFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly clientCa: Buffer | undefined;
}

/** Undefined, with the mistakes added, where the certificates are no good. */
export function readPemFiles(
  { cert, key, clientCa }: TlsOptions,
  mistakes: string[],
): PemFiles | undefined {
  const before = mistakes.length;
  const certBytes = read('tls.cert', cert, mistakes);
  const keyBytes = read('tls.key', key, mistakes);
  const caBytes = clientCa === undefined ? undefined : read('tls.clientCa', clientCa, mistakes);
  const certificate = parse('tls.cert', 'certificate', certBytes, mistakes, certificateOf);
  const privateKey = parse('tls.key', 'private key', keyBytes, mistakes, createPrivateKey);
  parse('tls.clientCa', 'certificate', caBytes, mistakes, certificateOf);
  if (certificate && privateKey && !certificate.checkPrivateKey(privateKey)) {
    mistakes.push('tls.key: is not the key of tls.cert');
  }
  if (mistakes.length > before) return undefined;
  return { cert: certBytes!, key: keyBytes!, clientCa: caBytes };
}

function read(where: string, pem: Pem, mistakes: string[]): Buffer | undefined {
  if (typeof pem !== 'string') return Buffer.from(pem);
  if (pem.includes('-----BEGIN')) return Buffer.from(pem);
  try {
    return readFileSync(pem);
  } catch (error) {
    mistakes.push(`${where}: ${messageOf(error)}`);
    return undefined;
  }
}

function parse<T>(
  where: string,
  what: string,
  bytes: Buffer | undefined,
  mistakes: string[],
  parser: (bytes: Buffer) => T,
): T | undefined {
  if (bytes === undefined) return undefined;
  try {
    return parser(bytes);
  } catch {
    mistakes.push(`${where}: holds no ${what} in PEM form`);
    return undefined;
  }
}

function certificateOf(pem: Buffer): X509Certificate {
  return new X509Certificate(pem);
}
