import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
  type IConfigFile,
} from '@microsoft/api-extractor';

const SILENT = { default: { logLevel: ExtractorLogLevel.None } };

/** An entry point whose public API is asked for. */
export interface ReportedEntry {
  /** The folder of its package. */
  readonly home: string;
  /** Its declarations, relative to the package. */
  readonly types: string;
}

/**
 * The public APIs behind declarations, by their files, as API Extractor writes them down. The compiler reads all of
 * them once.
 *
 * @param work a folder for the reports.
 */
export function reportsOf(
  root: string,
  entries: readonly ReportedEntry[],
  work: string,
): ReadonlyMap<string, string> {
  const configs = entries.map((entry) => configFor(root, entry, work));
  const [first, ...others] = configs;
  const compilerState = CompilerState.create(first!, {
    additionalEntryPoints: others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
  });
  const reportOf = (config: ExtractorConfig): string => {
    Extractor.invoke(config, {
      compilerState,
      localBuild: true,
      messageCallback: (message) => (message.handled = true),
    });
    return readFileSync(join(work, 'entry.api.md'), 'utf8');
  };
  return new Map(configs.map((config) => [config.mainEntryPointFilePath, reportOf(config)]));
}

function configFor(root: string, { home, types }: ReportedEntry, work: string): ExtractorConfig {
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
  return ExtractorConfig.prepare({
    configObject,
    configObjectFullPath: undefined,
    packageJsonFullPath: join(home, 'package.json'),
  });
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
