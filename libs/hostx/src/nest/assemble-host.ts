import { thrownText } from '@apix/contracts';
import { mistakesText } from '@apix/contracts/internal';
import type { ModulesContainer } from '@nestjs/core';
import { HostError, mistakesIn } from '../errors.js';
import { HostBuilder } from '../host/host-builder.js';
import type { Service } from '../service.js';
import { HostExplorer } from './explorer.js';
import { type HostxModuleOptions, hostxMistakes } from './hostx-options.js';

/** What a main adds to the parts of a host that are found in the app. */
export interface MainParts {
  /** Nest's `app.init()`, where the host calls it. Default: Nest has called it. */
  readonly init?: () => unknown;
  /** What brings work into the process, in the order in which it starts. */
  readonly transports: readonly Service[];
  /** Adds the rest. Default: there is none. */
  readonly finish?: ((builder: HostBuilder) => void) | undefined;
}

/**
 * Adds all parts of the host of an app: under `runHost` and with a plain main.
 *
 * @param explorer null: nothing of the app itself runs.
 */
export function assembleHost(
  builder: HostBuilder,
  explorer: HostExplorer | null,
  { init, transports, finish }: MainParts,
): void {
  explorer?.addTasks(builder, 'beforeInit');
  // Why: docs/decisions/0054
  if (init !== undefined) builder.addStartupTask('app.init()', init, { scoped: false });
  explorer?.addTasks(builder, 'afterInit');
  explorer?.addServicesAndHooks(builder);
  for (const transport of transports) builder.addService(transport, { tier: 'transport' });
  finish?.(builder);
}

/**
 * Finds everything in an app that concerns the host, before any of it runs.
 *
 * @param about as for {@link hostxMistakes}
 * @param expected takes the place of what a main adds, which is not made yet
 * @throws HostError that lists the mistakes in options and hosted classes and, if there are any, also those
 *   that would have kept the host from being built.
 */
export function exploreApp(
  modules: ModulesContainer,
  options: HostxModuleOptions,
  about: Parameters<typeof hostxMistakes>[1],
  expected: { readonly transports: readonly string[]; readonly finish?: MainParts['finish'] },
): HostExplorer {
  const explorer = new HostExplorer(modules);
  const inOptions = hostxMistakes(options, about);
  if (inOptions.length === 0 && explorer.mistakes.length === 0) return explorer;
  const transports = expected.transports.map((name) => ({ name, start: () => {} }));
  const others = [...explorer.mistakes, ...buildMistakes(explorer, { ...expected, transports })];
  if (inOptions.length === 0) throw mistakesIn('the host cannot be built')(others);
  const mistakes = [...inOptions, ...others];
  throw new HostError(mistakesText('hostx', mistakes), { mistakes });
}

function buildMistakes(explorer: HostExplorer, parts: MainParts): readonly string[] {
  const builder = new HostBuilder();
  try {
    assembleHost(builder, explorer, parts);
    builder.build();
    return [];
  } catch (error) {
    return error instanceof HostError && error.mistakes.length > 0
      ? error.mistakes
      : [thrownText(error)];
  }
}
