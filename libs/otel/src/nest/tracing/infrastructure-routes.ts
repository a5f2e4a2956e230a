import { nestRoutes } from '@apix/calls/nest';
import { noteInfrastructurePath } from '@apix/contracts';
import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';

const ANSWERS_GET = new Set([RequestMethod.GET, RequestMethod.HEAD, RequestMethod.ALL]);

/**
 * Notes the paths of handlers that are infrastructure endpoints, so that requests to them are known before they
 * are made spans. Left out are paths with parameters, and those that other handlers answer too, by another version
 * or host. Call it when Nest initialises the modules: the global prefix is set by then.
 */
// Why: docs/decisions/0143
export function noteInfrastructureRoutes(
  config: ApplicationConfig,
  modules: ModulesContainer,
): void {
  const marked = new Set<string>();
  const others = new Set<string>();
  for (const { handler, verb, path } of nestRoutes(config, modules)) {
    if (ANSWERS_GET.has(verb)) (handler.isInfrastructure ? marked : others).add(path);
  }
  for (const path of marked) {
    if (!/[:*{(]/.test(path) && !others.has(path)) noteInfrastructurePath(config, path);
  }
}
