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
 * The public APIs behind declarations, as API Extractor writes them down. The compiler reads all of them once.
 *
 * @param work a folder for the reports.
 */
export function reportsOf(
  root: string,
  entries: readonly ReportedEntry[],
  work: string,
): readonly string[] {
  const files = entries.map(({ home, types }) => join(home, types));
  const configs = entries.map((entry, i) => configFor(root, entry, files[i]!, work));
  const compilerState = CompilerState.create(configs[0]!, {
    additionalEntryPoints: files.slice(1),
  });
  return configs.map((config) => {
    Extractor.invoke(config, {
      compilerState,
      localBuild: true,
      messageCallback: (message) => (message.handled = true),
    });
    return readFileSync(join(work, 'entry.api.md'), 'utf8');
  });
}

function configFor(
  root: string,
  { home }: ReportedEntry,
  entry: string,
  work: string,
): ExtractorConfig {
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
