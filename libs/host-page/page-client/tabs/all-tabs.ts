import { callTab } from './call/call-tab.js';
import { jobsTab } from './jobs/jobs-tab.js';
import { logsTab } from './logs/logs-tab.js';
import { overviewTab } from './overview/overview-tab.js';
import { policiesTab } from './policies/policies-tab.js';
import { processesTab } from './processes/processes-tab.js';
import type { PageTab } from './tab.js';
import { tracesTab } from './traces/traces-tab.js';

/** The tabs of the page, from left to right. */
export const ALL_TABS: readonly PageTab[] = [
  overviewTab,
  logsTab,
  tracesTab,
  policiesTab,
  callTab,
  jobsTab,
  processesTab,
];
