import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type IConfigFile,
} from '@microsoft/api-extractor';

const SILENT = { default: { logLevel: ExtractorLogLevel.None } };

/** The public API behind a package's declarations, as API Extractor writes it down. */
export function reportOf(root: string, home: string, types: string, work: string): string {
  const entry = join(home, types);
  const configObject: IConfigFile = {
    projectFolder: home,
    mainEntryPointFilePath: entry,
    newlineKind: 'lf',
    apiReport: {
      enabled: true,
      reportFileName: 'entry.api.md',
      reportFolder: work,
      reportTempFolder: join(work, 'temp'),
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    tsdocMetadata: { enabled: false },
    compiler: { overrideTsconfig: compilerFor(root, entry) },
    messages: {
      compilerMessageReporting: SILENT,
      extractorMessageReporting: SILENT,
      tsdocMessageReporting: SILENT,
    },
  };
  const config = ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath: join(home, 'package.json'),
  });
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => (message.handled = true),
  });
  return readFileSync(join(work, 'entry.api.md'), 'utf8');
}

/** Sees built packages only, as their users do. */
function compilerFor(root: string, entry: string): object {
  const compilerOptions = {
    target: 'ES2023',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  };
  return { compilerOptions, files: [entry] };
}
