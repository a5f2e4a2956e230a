import { thrownText } from '@apix/contracts';
import type { HealthRegistry } from '@apix/hostx/core';
import type { HostStatus } from '@apix/hostx';
import type { HealthView, PageView } from './page-view.js';

/** The sources of what every tab shows. */
export interface FrameSources {
  state(): HostStatus;
  environment(): string;
  health(): HealthRegistry;
}

const STARTED_AT = Date.now() - Math.round(process.uptime() * 1_000);

/** The process and its host, as they are now. */
export function frameView(sources: FrameSources): Pick<PageView, 'process' | 'host'> {
  const { phase, since, reason } = sources.state();
  return {
    process: { pid: process.pid, node: process.version, startedAt: STARTED_AT },
    host: { phase, since, reason, environment: sources.environment() },
  };
}

/** Runs the checks; never rejects. */
export async function healthView(registry: HealthRegistry): Promise<HealthView> {
  try {
    const { status, checks } = await registry.ready();
    return {
      isReady: status === 'ok',
      checks: Object.entries(checks).map(([name, outcome]) => ({ name, outcome })),
    };
  } catch (error) {
    return { isReady: false, checks: [{ name: 'health', outcome: thrownText(error) }] };
  }
}
