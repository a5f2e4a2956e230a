import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CERTIFICATE } from '../../../tools/testing/certificate.js';
import { step } from '../../chromium.js';
import type { Ports } from '../servers/server.js';
import { SERVICE, descriptorFile } from '../suite/schema.js';

const run = promisify(execFile);

/** C-core by Python, and curl, against the port that all protocols share. */
export async function testPrograms(ports: Ports): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'apix-connect-'));
  const certificate = join(folder, 'cert.pem');
  writeFileSync(certificate, CERTIFICATE);
  try {
    await testCore('C-core', [`localhost:${ports.h2c}`]);
    await testCore('C-core with TLS', [`localhost:${ports.tls}`, certificate]);
    const secure = ['--cacert', certificate];
    await testCurl('curl', `http://localhost:${ports.http1}`, ['--http1.1']);
    await testCurl('curl, HTTP/2', `http://localhost:${ports.h2c}`, ['--http2-prior-knowledge']);
    await testCurl('curl, TLS', `https://localhost:${ports.tls}`, secure);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function testCore(name: string, where: readonly string[]): Promise<void> {
  const script = join(process.env['CONNECT_HERE']!, 'clients/core.py');
  const { stdout } = await run('/usr/bin/python3', [script, descriptorFile, ...where]);
  for (const line of stdout.trim().split('\n')) await step(`${name}: ${line.slice(3)}`, () => {});
}

async function testCurl(name: string, origin: string, options: readonly string[]): Promise<void> {
  const ask = async (path: string, ...args: string[]): Promise<string> => {
    const flags = ['--silent', '--show-error', '--max-time', '10', '--write-out', ' %{http_code}'];
    const { stdout } = await run('curl', [
      ...flags,
      ...options,
      ...args,
      `${origin}/${SERVICE}/${path}`,
    ]);
    return stdout;
  };
  const json = ['-H', 'content-type: application/json'];
  await step(`${name}: Connect by POST`, async () => {
    const answer = await ask(
      'Unary',
      ...json,
      '-d',
      '{"responseDefinition":{"responseData":"AQID"}}',
    );
    assert.match(answer, /^\{"payload":\{"data":"AQID",.* 200$/);
  });
  await step(`${name}: Connect by GET`, async () => {
    const message = encodeURIComponent('{"responseDefinition":{"responseData":"AQID"}}');
    const answer = await ask(`IdempotentUnary?connect=v1&encoding=json&message=${message}`);
    assert.match(answer, /^\{"payload":\{"data":"AQID",.* 200$/);
  });
  await step(`${name}: an error of Connect`, async () => {
    const error = '{"code":"CODE_NOT_FOUND","message":"gone"}';
    const answer = await ask('Unary', ...json, '-d', `{"responseDefinition":{"error":${error}}}`);
    assert.match(answer, /^\{"code":"not_found","message":"gone",.* 404$/);
  });
}
