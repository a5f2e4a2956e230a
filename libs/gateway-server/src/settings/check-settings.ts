import type { Mistakes } from '@apix/contracts';
import { duration } from '@apix/contracts/internal';
import type { SettingName, GatewaySettings } from './setting-table.js';
import { listenAddress } from './resolve-settings.js';

/** Settings that have no effect without another setting. */
const NEEDS: readonly (readonly [SettingName, SettingName])[] = [
  ['tls-cert', 'tls-key'],
  ['tls-key', 'tls-cert'],
  ['tls-client-ca', 'tls-cert'],
  ['backend-cert', 'backend-key'],
  ['backend-key', 'backend-cert'],
  ['jwks', 'issuer'],
  ['jwks', 'audience'],
  ['issuer', 'jwks'],
  ['audience', 'jwks'],
  ['roles-claim', 'jwks'],
  ['scopes-claim', 'jwks'],
  ['unannotated', 'jwks'],
  ['policies', 'jwks'],
  ['record-rules', 'jwks'],
  ['cors-credentials', 'cors-origin'],
];

const PATHS = ['docs', 'openapi', 'metrics'] as const;

/** A shorter interval would load the disk, or the server that describes itself. */
const REFRESH = duration({ min: 1_000 });

/** Notes mistakes in combinations of settings, and in the format of strings. */
export function checkSettings(settings: GatewaySettings, mistakes: Mistakes): void {
  if (settings.backend === undefined) {
    mistakes.add('backend', 'is missing: name the gRPC server, such as --backend localhost:50051');
  }
  for (const [name, needed] of NEEDS) {
    if (isSet(settings[name]) && !isSet(settings[needed])) {
      mistakes.add(name, `requires ${needed} to be set as well`);
    }
  }
  for (const name of PATHS) {
    const path = settings[name];
    if (path !== undefined && path !== 'off' && !/^\/[^?#\s]*$/.test(path)) {
      mistakes.add(name, `must be a path that starts with "/", or off, not "${path}"`);
    }
  }
  for (const name of ['listen', 'admin-listen'] as const) {
    const text = settings[name];
    if (text !== undefined) listenAddress(name, text, mistakes);
  }
  if (settings.refresh !== undefined) {
    REFRESH.read(settings.refresh, 'refresh', mistakes);
  }
  checkProtocols(settings, mistakes);
  checkOrigins(settings, mistakes);
}

// Why: docs/decisions/0520
function checkProtocols(settings: GatewaySettings, mistakes: Mistakes): void {
  const { protocols, unbound, http2, rules } = settings;
  if (protocols.includes('grpc') && !http2) {
    mistakes.add('protocols', 'grpc requires http2 to be set as well');
  }
  if (rules !== undefined && protocols.length > 0 && !protocols.includes('rest')) {
    mistakes.add('rules', 'requires rest among the protocols');
  }
  const others = protocols.filter((name) => name !== 'rest');
  if (unbound && others.length > 0) {
    mistakes.add(
      'unbound',
      `cannot go with ${others.join(', ')}, which has the path /<package>.<Service>/<Method> too: ` +
        'remove it, and add connect to the protocols, which takes the same requests',
    );
  }
}

function checkOrigins(settings: GatewaySettings, mistakes: Mistakes): void {
  const { 'cors-origin': origins, 'cors-credentials': credentials } = settings;
  for (const origin of origins) {
    if (origin === '*') {
      // Otherwise any page could act with the cookies of its visitors.
      if (credentials)
        mistakes.add('cors-origin', '* cannot go with cors-credentials: name origins');
    } else if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      const example = 'https://shop.example';
      mistakes.add('cors-origin', `"${origin}" is not an origin such as ${example}, nor *`);
    }
  }
}

function isSet(value: GatewaySettings[SettingName]): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
