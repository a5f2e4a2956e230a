import type { GatewaySetting, SettingGroup } from '../settings/setting.js';
import { SETTINGS } from '../settings/setting-table.js';

const HEAD = `apix-gateway --backend <host:port> [options]

Serves a gRPC server as REST, by the google.api.http rules in its descriptors, and by Connect, gRPC-Web
and gRPC, and as tools for agents (MCP): with JSON, streams, an OpenAPI document, a docs page, health,
metrics and policies.
`;

const TAIL = `Other
  -c, --config <file>
      options by their names, without the dashes, as YAML or JSON; the command line overrides them
  --check
      reads everything, says what would be served, and serves nothing
  -h, --help
  -v, --version

Repeat an option to give several values. Durations: 500ms, 10s, 1m30s.
The variables of OpenTelemetry, such as OTEL_EXPORTER_OTLP_ENDPOINT, make it export spans.
SIGHUP reads descriptors, rules, policies, certificates and a file of keys again, not the options;
SIGTERM stops without losing a request.

Exit codes: 0 stopped in order; 1 failed while it ran; 2 an option, a file or a rule is wrong;
3 with --check, the gRPC server cannot be asked.
`;

/** The text that `--help` prints. */
export function usage(): string {
  const groups = new Map<SettingGroup, string[]>();
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const lines = groups.get(setting.group) ?? [];
    groups.set(setting.group, [...lines, ...describe(name, setting)]);
  }
  const sections = [...groups].map(([title, lines]) => [title, ...lines, ''].join('\n'));
  return [HEAD, ...sections, TAIL].join('\n');
}

function describe(name: string, setting: GatewaySetting): string[] {
  const value = setting.kind === 'flag' ? '' : ` ${setting.value}`;
  return [`  --${name}${value}`, `      ${setting.help}`];
}
