import { nestRoutes } from '@apix/calls/internal-nest';
import { RequestMethod } from '@nestjs/common';
import type { ApplicationConfig, ModulesContainer } from '@nestjs/core';
import { standingText } from '../report/policy-texts.js';
import type { WordedRoute } from '../report/worded-routes.js';
import type { HandlerPolicies } from './handler-policies.js';
import type { ControllerClass, Handler } from './policy-metadata.js';

/** The routes of the app's controllers, each with the policy that the guard asks for its handler. */
export function* wordedRoutes(
  policies: HandlerPolicies,
  config: ApplicationConfig,
  modules: ModulesContainer,
): Generator<WordedRoute> {
  for (const { verb, path, handler } of nestRoutes(config, modules)) {
    const { controller, method } = handler;
    const standing = policies.standing(controller as ControllerClass, method as Handler);
    yield { verb: RequestMethod[verb], path, who: standingText(standing) };
  }
}
