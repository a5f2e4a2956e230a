import { readFileSync } from 'node:fs';
import type { Server as HttpServer } from 'node:http';
import { type SecureContextOptions, Server as TlsServer, type TlsOptions } from 'node:tls';
import { Mistakes } from '@apix/contracts';
import { GatewayServerError } from '../errors.js';
import type { GatewaySettings } from '../settings/setting-table.js';

/** The certificates that are presented to callers; they can be read again. */
export class CallerTls {
  readonly #settings: GatewaySettings;
  readonly #servers = new Set<TlsServer>();
  readonly options: TlsOptions;

  /** @throws GatewayServerError for files that cannot be used. */
  constructor(settings: GatewaySettings) {
    this.#settings = settings;
    const isMutual = settings['tls-client-ca'] !== undefined;
    this.options = {
      ...filesOf(settings),
      ...(isMutual && { requestCert: true, rejectUnauthorized: true }),
    };
  }

  /** From now on, {@link reload} also updates this server. */
  follow(server: HttpServer): void {
    if (server instanceof TlsServer) this.#servers.add(server);
  }

  /** Reads the files again. @throws GatewayServerError if they cannot be used; the current ones stay in use. */
  reload(): void {
    const context = filesOf(this.#settings);
    for (const server of this.#servers) server.setSecureContext(context);
  }
}

/** Undefined if the settings name no certificate. @throws GatewayServerError for files that cannot be used. */
export function callerTls(settings: GatewaySettings): CallerTls | undefined {
  return settings['tls-cert'] === undefined ? undefined : new CallerTls(settings);
}

function filesOf(settings: GatewaySettings): SecureContextOptions {
  const { 'tls-cert': cert = '', 'tls-key': key = '', 'tls-client-ca': ca } = settings;
  const mistakes = new Mistakes();
  const { X509Certificate, createPrivateKey } = process.getBuiltinModule('node:crypto');
  const certPem = pem('tls-cert', cert, 'certificate', (it) => new X509Certificate(it), mistakes);
  const keyPem = pem('tls-key', key, 'private key', createPrivateKey, mistakes);
  const caPem =
    ca === undefined
      ? undefined
      : pem('tls-client-ca', ca, 'certificate', (it) => new X509Certificate(it), mistakes);
  if (mistakes.found.length === 0) {
    const isPair = new X509Certificate(certPem).checkPrivateKey(createPrivateKey(keyPem));
    if (!isPair) mistakes.add('tls-key', `${key} does not belong to the certificate ${cert}`);
  }
  mistakes.throwIfAny((found) => new GatewayServerError(found));
  return { cert: certPem, key: keyPem, ...(caPem !== undefined && { ca: caPem }) };
}

function pem(
  where: string,
  file: string,
  what: string,
  parse: (bytes: Buffer) => unknown,
  mistakes: Mistakes,
): Buffer {
  const bytes = mistakes.attempt(where, () => readFileSync(file), undefined);
  if (bytes === undefined) return Buffer.alloc(0);
  try {
    parse(bytes);
  } catch {
    mistakes.add(where, `${file} does not contain a ${what} in PEM form`);
  }
  return bytes;
}
