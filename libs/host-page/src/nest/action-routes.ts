import type { IncomingMessage } from 'node:http';
import {
  type CanActivate,
  Get,
  HttpCode,
  NotFoundException,
  Post,
  Req,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { readTarget } from '@apix/contracts/internal';
import { refuseOtherPages } from './refuse-other-pages.js';
import { type ActionName, ACTION_NAMES } from '../actions/page-action.js';

/** The guards of each action; nobody may do one that has none. */
export type ActionGuards = Readonly<
  Record<ActionName, readonly (Type<CanActivate> | CanActivate)[]>
>;

type Request = IncomingMessage & { readonly raw?: IncomingMessage };

/** What does the actions; false if there is nothing by these parameters. */
export interface ActionHost {
  act(name: ActionName, query: URLSearchParams, remote: string): boolean;
}

/**
 * Adds two routes for each action to the page's controller, under the guards of the action besides those of the
 * page: `POST actions/<name>` begins it, and `GET actions/<name>/may` answers 204 to those who may.
 *
 * @param hostOf what does the actions of an instance.
 */
// Why: docs/decisions/0553
export function addActionRoutes<T extends object>(
  controller: Type<T>,
  guards: ActionGuards,
  hostOf: (instance: T) => ActionHost,
): void {
  for (const name of ACTION_NAMES) {
    const mayAct = guards[name].length > 0;
    const route = (
      key: string,
      of: MethodDecorator,
      status: number,
      handle: ActionHandler<T>,
    ): void => {
      const descriptor = { value: handle, configurable: true, writable: true };
      Object.defineProperty(controller.prototype, key, descriptor);
      Req()(controller.prototype as object, key, 0);
      const decorators = [of, HttpCode(status), UseGuards(...guards[name])];
      for (const decorate of decorators) {
        decorate(controller.prototype as object, key, descriptor);
      }
    };
    route(`may_${name}`, Get(`actions/${name}/may`), 204, () => {
      if (!mayAct) throw new NotFoundException();
    });
    route(`do_${name}`, Post(`actions/${name}`), 202, function (this: T, request: Request) {
      if (!mayAct) throw new NotFoundException();
      const { headers, socket } = request.raw ?? request;
      refuseOtherPages(headers, 'an action');
      const query = new URLSearchParams(readTarget(request.url ?? '/').query);
      const isBegun = hostOf(this).act(name, query, socket.remoteAddress ?? 'an unknown address');
      if (!isBegun) throw new NotFoundException();
    });
  }
}

type ActionHandler<T> = (this: T, request: Request) => void;
