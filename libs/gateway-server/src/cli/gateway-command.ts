import { Code, isStatusError, thrownText } from '@apix/contracts';
import { ReflectionError } from '@apix/grpc-client/core';
import { fullMethodName } from '@apix/proto/core';
import { consoleSink, createLogger, type Logger } from '@apix/logx/core';
import type { Generation } from '../catalogue/generation.js';
import { GatewayProcess } from '../process/gateway-process.js';
import { loadSettings } from '../settings/load-settings.js';
import type { GatewaySettings } from '../settings/setting-table.js';
import { openSpanExport } from '../spans/span-export.js';
import { printable } from './printable.js';
import { usage } from './usage.js';

/** The input and output of the command; tests pass their own. */
export interface GatewayCommandIo {
  print(text: string): void;
  complain(text: string): void;
  readonly version: string;
}

/** Exit codes of the command. */
const EXIT = { stopped: 0, failed: 1, wrong: 2, unreachable: 3 } as const;

/** Runs `apix-gateway` until it has stopped, and returns its exit code: see {@link usage}. */
export async function gatewayCommand(
  args: readonly string[],
  io: GatewayCommandIo,
): Promise<number> {
  try {
    const { settings, asks } = loadSettings(args);
    if (asks.help) io.print(usage());
    else if (asks.version) io.print(`${io.version}\n`);
    else if (asks.check) await check(settings, io);
    else return await serve(settings, io);
    return EXIT.stopped;
  } catch (error) {
    complain(error, io);
    return isOfBackend(error) ? EXIT.unreachable : EXIT.wrong;
  }
}

async function check(settings: GatewaySettings, io: GatewayCommandIo): Promise<void> {
  const gateway = new GatewayProcess(settings, openLogger(settings));
  try {
    await gateway.catalogue.load();
    const { current } = gateway.catalogue;
    if (current !== undefined) io.print(printable(describeServed(current)));
  } finally {
    gateway.close();
  }
}

async function serve(settings: GatewaySettings, io: GatewayCommandIo): Promise<number> {
  const logger = openLogger(settings);
  const spans = await openSpanExport(logger);
  const gateway = new GatewayProcess(settings, logger, spans);
  // Files are checked before anything is served.
  if (gateway.catalogue.isLocal) await gateway.catalogue.load();
  const host = gateway.host().build();
  try {
    await host.run();
    return EXIT.stopped;
  } catch (error) {
    complain(error, io);
    return EXIT.failed;
  }
}

function isOfBackend(error: unknown): boolean {
  if (isStatusError(error)) return error.code === Code.UNAVAILABLE;
  return error instanceof ReflectionError;
}

function complain(error: unknown, io: GatewayCommandIo): void {
  const text = thrownText(error);
  const named = text.startsWith('gateway-server: ') ? text : `gateway-server: ${text}`;
  io.complain(`${printable(named)}\n`);
}

/** One line per rule: the HTTP method and path, and the RPC that it calls; one per RPC of the other protocols, and one per tool. */
function describeServed({ gateway, tools }: Generation): string {
  const { bindings, methods, protocols } = gateway;
  const others = [...protocols].filter((name) => name !== 'rest').join(', ');
  const rows = [
    ...bindings.map(({ httpMethod, template, fullName }) => ({
      how: `${httpMethod} ${template.source}`,
      fullName,
    })),
    ...methods.map((method) => ({ how: others, fullName: fullMethodName(method) })),
    ...[...(tools?.methods ?? [])].map(([name, method]) => ({
      how: `tool ${name}`,
      fullName: fullMethodName(method),
    })),
  ];
  const width = Math.max(0, ...rows.map(({ how }) => how.length));
  return rows.map(({ how, fullName }) => `${how.padEnd(width)}  ${fullName}\n`).join('');
}

/** The log of the process, on standard output. */
function openLogger(settings: GatewaySettings): Logger {
  const { 'log-level': level, 'log-format': format = 'auto' } = settings;
  return createLogger({
    sinks: [consoleSink({ format })],
    ...(level !== undefined && { level }),
    errorHandler: (error) => void process.stderr.write(`gateway-server: ${error.message}\n`),
  });
}
