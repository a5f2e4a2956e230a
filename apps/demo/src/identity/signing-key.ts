import { type KeyObject, createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { dataFolder } from '../assets.js';
import { isForTrying } from '../settings.js';
import { keptSecret } from '../store/kept-secret.js';

const FILE = 'issuer-key.pem';

/**
 * What tokens are signed with: kept in DATA_DIR, so that the tokens of an earlier start hold. Where
 * nothing is for trying it is another one at each start, which nobody can read, and what was kept counts for nothing.
 */
export function signingKey(): KeyObject {
  if (!isForTrying()) return newKey();
  const pem = keptSecret(FILE, () => newKey().export({ type: 'pkcs8', format: 'pem' }).toString());
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch (cause) {
    throw notAKey({ cause });
  }
  throw notAKey();
}

function newKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}

function notAKey(options?: ErrorOptions): Error {
  const path = join(dataFolder(), FILE);
  return new Error(
    `demo: ${path} is not a P-256 key in PEM: delete it, and the next start makes another one`,
    options,
  );
}
