import { readFileSync } from 'node:fs';
import { type Mistakes, shownValue } from '@apix/contracts';
import {
  isRecord,
  type Option,
  type OptionTable,
  readOptions,
  required,
} from '@apix/contracts/internal';

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

/** PEM bytes and what they contain. */
interface ParsedPem<T> {
  /** The path of the file and a space; empty for PEM that is not from a file. */
  readonly from: string;
  readonly bytes: Buffer;
  readonly parsed: T;
}

/** One or several certificates. */
export const CERTIFICATE = pemOption('certificate', (pem) => {
  const crypto = process.getBuiltinModule('node:crypto');
  return new crypto.X509Certificate(pem);
});

export const PRIVATE_KEY = pemOption('private key', (pem) =>
  process.getBuiltinModule('node:crypto').createPrivateKey(pem),
);

const TLS_OPTIONS = {
  cert: required<GivenPem<typeof CERTIFICATE>>(CERTIFICATE, undefined),
  key: required<GivenPem<typeof PRIVATE_KEY>>(PRIVATE_KEY, undefined),
  clientCa: CERTIFICATE,
} satisfies OptionTable<TlsOptions>;

type GivenPem<O> = O extends Option<infer T> ? T | undefined : never;

/** The option `tls`; undefined, with the mistakes added, where the certificates cannot be used. */
export function readPemFiles(options: unknown, mistakes: Mistakes): PemFiles | undefined {
  if (!isRecord(options)) {
    mistakes.add('tls', `must be an object with cert and key, not ${shownValue(options)}`);
    return undefined;
  }
  const before = mistakes.found.length;
  const { cert, key, clientCa } = readOptions(TLS_OPTIONS, options, 'tls', mistakes);
  const identity = identityOf(cert, key, mistakes);
  if (identity === undefined || mistakes.found.length > before) return undefined;
  return { ...identity, clientCa: clientCa?.bytes };
}

/** The options `tls.cert` and `tls.key`; undefined where one is missing, or, as a mistake, where they do not go together. */
export function identityOf(
  cert: GivenPem<typeof CERTIFICATE>,
  key: GivenPem<typeof PRIVATE_KEY>,
  mistakes: Mistakes,
): Identity | undefined {
  if (cert === undefined || key === undefined) return undefined;
  if (!cert.parsed.checkPrivateKey(key.parsed)) {
    mistakes.add('tls.key', `${key.from}does not belong to tls.cert`);
    return undefined;
  }
  return { cert: cert.bytes, key: key.bytes };
}

/** PEM text, bytes or the path of a file, which is read. */
function pemOption<T>(what: string, parser: (pem: Buffer) => T): Option<ParsedPem<T>> {
  return {
    schema: undefined,
    read(value, at, mistakes) {
      const bytes = readPem(at, value, mistakes);
      if (bytes === undefined) return undefined;
      const from = isPath(value) ? `${value} ` : '';
      try {
        return { from, bytes, parsed: parser(bytes) };
      } catch {
        mistakes.add(at, `${from}does not contain a ${what} in PEM form`);
        return undefined;
      }
    },
  };
}

function readPem(at: string, pem: unknown, mistakes: Mistakes): Buffer | undefined {
  if (pem instanceof Uint8Array) return Buffer.from(pem);
  if (typeof pem !== 'string') {
    const given = shownValue(pem);
    mistakes.add(at, `must be PEM text, PEM bytes or the path of a PEM file, not ${given}`);
    return undefined;
  }
  if (!isPath(pem)) return Buffer.from(pem);
  return mistakes.attempt<Buffer | undefined>(at, () => readFileSync(pem), undefined);
}

function isPath(pem: unknown): pem is string {
  return typeof pem === 'string' && !pem.includes('-----BEGIN');
}
