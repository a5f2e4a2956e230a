import { Client, Metadata, credentials, status } from '@grpc/grpc-js';
import type { Identity } from '../../../libs/authz/src/certificates.fixture.js';
import { HOLDERS, authority } from '../certificates.js';
import { note } from '../grpc-call.js';
import type { Attack } from '../row.js';

/** Calls what keepers alone may call with each certificate; who is let in. */
export const certificates: Attack = async ({ gate }) => {
  const letIn: string[] = [];
  for (const [name, identity] of Object.entries(HOLDERS)) {
    if ((await callAs(identity, gate.ports.grpc)) === status.OK) letIn.push(name);
  }
  return `${letIn.join(', ')} of ${Object.keys(HOLDERS).length}`;
};

/** Makes a call with a certificate; its status. */
export async function callAs({ cert, key }: Identity, port: number): Promise<status> {
  const secure = credentials.createSsl(
    Buffer.from(authority.cert),
    Buffer.from(key),
    Buffer.from(cert),
  );
  const client = new Client(`localhost:${port}`, secure, { 'grpc.use_local_subchannel_pool': 1 });
  // Whoever sends it is not what his headers say.
  const headers = new Metadata();
  headers.set('x-forwarded-client-cert', 'Subject="CN=ada,OU=keeper"');
  const path = '/strangers.v1.Vault/Write';
  const bytes = (message: Buffer): Buffer => message;
  try {
    return await new Promise((resolve) => {
      const deadline = Date.now() + 5_000;
      client.makeUnaryRequest(path, bytes, bytes, note('hello'), headers, { deadline }, (error) =>
        resolve(error?.code ?? status.OK),
      );
    });
  } finally {
    client.close();
  }
}
