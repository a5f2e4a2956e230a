import { Mistakes } from '@apix/contracts';
import { GatewayServerError } from '../errors.js';
import { checkSettings } from './check-settings.js';
import { type CommandLine, readArguments } from './read-arguments.js';
import { readConfigFile } from './read-config-file.js';
import { resolveSettings } from './resolve-settings.js';
import type { GatewaySettings } from './setting-table.js';

/** A valid command line. */
export interface LoadedSettings {
  readonly settings: GatewaySettings;
  readonly asks: Pick<CommandLine, 'check' | 'help' | 'version'>;
}

/**
 * Loads the settings of a command line, and of the configuration file that it names.
 *
 * @throws GatewayServerError that lists every mistake with its place; never for `--help` and `--version`.
 */
export function loadSettings(args: readonly string[]): LoadedSettings {
  const mistakes = new Mistakes();
  const { given, config, ...asks } = readArguments(args, mistakes);
  if (asks.help || asks.version) {
    return { settings: resolveSettings(new Map(), new Map(), new Mistakes()), asks };
  }
  const file = config === undefined ? new Map() : readConfigFile(config, mistakes);
  const settings = resolveSettings(given, file, mistakes);
  checkSettings(settings, mistakes);
  mistakes.throwIfAny((found) => new GatewayServerError(found));
  return { settings, asks };
}
