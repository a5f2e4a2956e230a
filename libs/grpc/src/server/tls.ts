import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Mistakes, shownValue } from '@apix/contracts';

/** PEM text or bytes, or the path of a PEM file, which is read again when the host reloads. */
export type Pem = string | Uint8Array;

export interface TlsOptions {
  /** The server's certificate, followed by those between it and its authority. Required. */
  readonly cert: Pem;
  /** The private key of the certificate. Required. */
  readonly key: Pem;
  /**
   * Authorities of client certificates. If set, every client must present a certificate issued by one of
   * them (mutual TLS), and calls carry it as `peer.certificate`. Default: clients need no certificate.
   */
  readonly clientCa?: Pem;
}

/** A certificate and the key that belongs to it, as PEM. */
export interface Identity {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The files of the options, read and checked. */
export interface PemFiles extends Identity {
  readonly clientCa: Buffer | undefined;
}

/** Undefined, with the mistakes added, where the certificates cannot be used. */
export function readPemFiles(options: TlsOptions, mistakes: Mistakes): PemFiles | undefined {
  if (typeof options !== 'object' || options === null) {
    mistakes.add('tls', `must be an object with cert and key, not ${shownValue(options)}`);
    return undefined;
  }
  const before = mistakes.found.length;
  const { cert, key, clientCa } = options;
  const identity = readIdentity(cert, key, mistakes);
  const ca =
    clientCa === undefined ? undefined : readAuthorities('tls.clientCa', clientCa, mistakes);
  if (identity === undefined || mistakes.found.length > before) return undefined;
  return { ...identity, clientCa: ca };
}

/** The options `tls.cert` and `tls.key`; undefined, with the mistakes added, where they do not go together. */
export function readIdentity(cert: Pem, key: Pem, mistakes: Mistakes): Identity | undefined {
  const certBytes = readPem('tls.cert', cert, mistakes);
  const keyBytes = readPem('tls.key', key, mistakes);
  const certificate = parsePem('tls.cert', 'certificate', certBytes, mistakes, certificateOf);
  const { createPrivateKey } = process.getBuiltinModule('node:crypto');
  const privateKey = parsePem('tls.key', 'private key', keyBytes, mistakes, createPrivateKey);
  if (certificate === undefined || privateKey === undefined) return undefined;
  if (!certificate.checkPrivateKey(privateKey)) {
    mistakes.add('tls.key', 'does not belong to tls.cert');
    return undefined;
  }
  return { cert: certBytes!, key: keyBytes! };
}

/** Authorities of the other end; undefined, with the mistake added, if there are none. */
export function readAuthorities(where: string, pem: Pem, mistakes: Mistakes): Buffer | undefined {
  const bytes = readPem(where, pem, mistakes);
  parsePem(where, 'certificate', bytes, mistakes, certificateOf);
  return bytes;
}

/** The bytes of PEM text, bytes or a file; undefined, with the mistake added, if there are none. */
function readPem(where: string, pem: Pem, mistakes: Mistakes): Buffer | undefined {
  if (pem instanceof Uint8Array) return Buffer.from(pem);
  if (typeof pem !== 'string') {
    const given = shownValue(pem);
    mistakes.add(where, `must be PEM text, PEM bytes or the path of a PEM file, not ${given}`);
    return undefined;
  }
  if (pem.includes('-----BEGIN')) return Buffer.from(pem);
  return mistakes.attempt<Buffer | undefined>(where, () => readFileSync(pem), undefined);
}

/** What a parser makes of PEM bytes; undefined, with the mistake added, where it throws. */
function parsePem<T>(
  where: string,
  what: string,
  bytes: Buffer | undefined,
  mistakes: Mistakes,
  parser: (bytes: Buffer) => T,
): T | undefined {
  if (bytes === undefined) return undefined;
  try {
    return parser(bytes);
  } catch {
    mistakes.add(where, `does not contain a ${what} in PEM form`);
    return undefined;
  }
}

/** The first certificate of PEM bytes. */
function certificateOf(pem: Buffer): X509Certificate {
  const crypto = process.getBuiltinModule('node:crypto');
  return new crypto.X509Certificate(pem);
}
