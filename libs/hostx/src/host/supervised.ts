import { shownValue } from '@apix/contracts';
import { HostError } from '../errors.js';
import type { Notify } from '../observer.js';
import type { HostPhase } from '../state/transitions.js';
import { Supervisor } from '../supervision/supervisor.js';
import type { SupervisorContext } from '../supervision/supervisor-context.js';
import type { HostPlan } from './host-plan.js';

/** A supervisor for each service of a plan, in the order of the plan. */
export function supervisorsOf(
  plan: HostPlan,
  notify: Notify,
  host: Pick<SupervisorContext, 'isStopping' | 'onFailed'>,
): readonly Supervisor[] {
  return plan.services.map(
    ({ service, restart, completes, tier, stopTimeoutMs }) =>
      new Supervisor(service, restart, {
        clock: plan.clock,
        random: plan.random,
        scopes: tier === 'transport' ? [] : plan.scopes,
        tier,
        notify,
        given: { log: plan.logger },
        stopTimeoutMs,
        completes,
        ...host,
      }),
  );
}

/** As Host.restartService. */
export async function restartNamed(
  name: string,
  phase: HostPhase,
  supervisors: readonly Supervisor[],
  { shutdownTimeoutMs }: Pick<HostPlan, 'shutdownTimeoutMs'>,
): Promise<void> {
  if (phase !== 'running') throw refused(`the host is ${phase}; it must be running`);
  const supervisor = supervisors.find(({ status }) => status.name === name);
  if (supervisor === undefined) {
    const names = supervisors.map(({ status }) => status.name).join(', ');
    throw refused(`there is no service ${shownValue(name)}; use one of ${names}`);
  }
  // Why: docs/decisions/0562
  if (supervisor.status.tier === 'transport') {
    throw refused(
      `service ${name} is a transport, which brings work into the app; restart the process`,
    );
  }
  await supervisor.restart(shutdownTimeoutMs);
}

function refused(why: string): HostError {
  return new HostError(`hostx: restartService: ${why}`);
}
