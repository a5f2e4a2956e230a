import { type Mistakes, nearestName, shownValue } from '@apix/contracts';
import { readDocumentFile } from './read-document.js';
import {
  type Given,
  type GivenSettings,
  SETTINGS,
  type SettingName,
  isSettingName,
} from './setting-table.js';

/**
 * Reads a configuration file: settings by name, as YAML or JSON. Unknown names are noted as mistakes;
 * the values are checked together with those of the command line.
 *
 * @throws GatewayServerError for a file that cannot be read.
 */
export function readConfigFile(file: string, mistakes: Mistakes): GivenSettings {
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
