import { Mistakes, shownValue } from '@apix/contracts';
import { nearestName } from '@apix/contracts/internal';
import { GatewayServerError } from '../errors.js';
import { checkSettings } from './check-settings.js';
import { type CommandLine, readArguments } from './read-arguments.js';
import { readDocumentFile } from './read-document.js';
import { resolveSettings } from './resolve-settings.js';
import {
  type GatewaySettings,
  type Given,
  type GivenSettings,
  isSettingName,
  type SettingName,
  SETTINGS,
} from './setting-table.js';

/** A valid command line. */
interface LoadedSettings {
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

/**
 * Reads a configuration file: settings by name, as YAML or JSON. Unknown names are noted as mistakes;
 * the values are checked together with those of the command line.
 *
 * @throws GatewayServerError for a file that cannot be read.
 */
function readConfigFile(file: string, mistakes: Mistakes): GivenSettings {
  const document = readDocumentFile(file) ?? {};
  const given = new Map<SettingName, Given>();
  if (typeof document !== 'object' || Array.isArray(document)) {
    mistakes.add(file, `must be settings by their names, not ${shownValue(document)}`);
    return given;
  }
  for (const [name, value] of Object.entries(document)) {
    const place = `${file}: ${name}`;
    if (isSettingName(name)) given.set(name, { value, place });
    else {
      const near = nearestName(name, Object.keys(SETTINGS));
      const hint = near === undefined ? 'see --help' : `did you mean ${near}?`;
      mistakes.add(place, `is not a setting: ${hint}`);
    }
  }
  return given;
}
