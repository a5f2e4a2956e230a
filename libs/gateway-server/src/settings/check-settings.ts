import { type Mistakes, shownValue } from '@apix/contracts';
import { duration } from '@apix/contracts/internal';
import type { SettingName, GatewaySettings } from './setting-table.js';
import { listenAddress } from './resolve-settings.js';
import { TOOL_SETTINGS } from './tool-settings.js';

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
  ['who-may-call', 'jwks'],
  ['cors-credentials', 'cors-origin'],
  ['mcp-authorization-server', 'mcp-resource'],
  ['mcp-scope', 'mcp-resource'],
];

/** The paths of pages where none are set. */
const PAGES = { docs: '/docs', openapi: '/openapi.json', metrics: '/metrics' } as const;

/** Where health is served. */
export const HEALTH_PATHS: readonly string[] = ['/healthz', '/readyz', '/startupz'];

/** A shorter interval would load the disk, or the server that describes itself. */
const REFRESH = duration({ min: 1_000 });

/** Notes mistakes in combinations of settings, and in the format of strings. */
export function checkSettings(settings: GatewaySettings, mistakes: Mistakes): void {
  if (settings.backend === undefined) {
    mistakes.add('backend', 'is missing: name the gRPC server, such as --backend localhost:50051');
  }
  const ofTools = Object.keys(TOOL_SETTINGS).filter((name) => name !== 'mcp');
  const needs = [...NEEDS, ...ofTools.map((name) => [name as SettingName, 'mcp'] as const)];
  for (const [name, needed] of needs) {
    if (isSet(settings[name]) && !isSet(settings[needed])) {
      mistakes.add(name, `requires ${needed} to be set as well`);
    }
  }
  for (const name of ['docs', 'openapi', 'metrics'] as const) {
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
  checkTools(settings, mistakes);
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

// Why: docs/decisions/0525
function checkTools(settings: GatewaySettings, mistakes: Mistakes): void {
  const { mcp, jwks, audience, 'mcp-list': list, 'mcp-resource': resource } = settings;
  if (mcp === undefined) return;
  if (jwks === undefined && list !== 'all') {
    mistakes.add(
      'mcp',
      'requires jwks, so that callers are shown the tools that they may call; where the server alone decides, ' +
        'set mcp-list to all, which shows all tools to everybody',
    );
  }
  if (jwks !== undefined && list === 'all') {
    mistakes.add(
      'mcp-list',
      'all cannot go with jwks: callers are shown the tools that they may call',
    );
  }
  if (resource !== undefined && jwks !== undefined && !audience.includes(resource)) {
    mistakes.add(
      'mcp-resource',
      `${shownValue(resource)} must be among audience, as tokens are made for it`,
    );
  }
  if (
    resource !== undefined &&
    jwks === undefined &&
    !isSet(settings['mcp-authorization-server'])
  ) {
    mistakes.add('mcp-resource', 'requires mcp-authorization-server to be set as well');
  }
  for (const [name, standard] of Object.entries(PAGES)) {
    const page = settings[name as keyof typeof PAGES] ?? standard;
    if (mcp === page || (name === 'docs' && mcp.startsWith(`${page}/`))) {
      mistakes.add('mcp', `${mcp} is the path of ${name}: set another path`);
    }
  }
  if (HEALTH_PATHS.includes(mcp))
    mistakes.add('mcp', `${mcp} is the path of health: set another path`);
}

function isSet(value: GatewaySettings[SettingName]): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
