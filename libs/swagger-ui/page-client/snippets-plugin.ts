import { type CodeSample, type PlannedCall, curlOf, fetchOf } from './code-samples.js';
import { copyable } from './copyable.js';
import { described } from './described.js';
import { plannedCall } from './planned-call.js';
import type { SegmentPaths } from './segments-plugin.js';
import type { Component, Plugin, System } from './swagger-ui.js';

/**
 * Programs that make the call of an operation, above its responses: for curl and for `fetch`, and those that the
 * document has in `x-codeSamples`.
 */
// Why: docs/decisions/0566
export function snippetsPlugin(paths: SegmentPaths): Plugin {
  return (system) => {
    const { React } = system;
    const h = React.createElement;
    const Snippets = snippets(system, paths);
    const below = (Responses: Component): Component => {
      return (props) => {
        const { path, method } = props;
        return h(React.Fragment, null, h(Snippets, { path, method }), h(Responses, props));
      };
    };
    return { wrapComponents: { responses: below } };
  };
}

function snippets(system: System, paths: SegmentPaths): Component {
  const { React } = system;
  const h = React.createElement;
  const Copyable = copyable(system);
  const subscribe = (changed: () => void): (() => void) => system.getStore().subscribe(changed);
  // Of all operations, because users work in one language.
  let preferred = '';
  return (props) => {
    const [path, method] = [String(props['path']), String(props['method'])];
    // As a text, which is equal as long as nothing has changed.
    const planned = React.useSyncExternalStore(subscribe, () =>
      JSON.stringify(plannedOrNull(system, paths, path, method)),
    );
    const [, choose] = React.useState(preferred);
    const samples = [...samplesOf(planned), ...samplesIn(system, path, method)];
    const shown = samples.find(({ label }) => label === preferred) ?? samples[0];
    if (shown === undefined) return null;
    const choice = samples.map(({ label }) => {
      const onClick = (): void => choose((preferred = label));
      const isShown = label === shown.label;
      return h('button', { key: label, type: 'button', onClick, 'aria-pressed': isShown }, label);
    });
    return h(
      'div',
      { className: 'opblock-section snippets' },
      h('div', { className: 'opblock-section-header' }, h('h4', null, 'Code')),
      h('div', { className: 'snippet-choice', role: 'group', 'aria-label': 'Code' }, ...choice),
      h(Copyable, { source: shown.source }),
    );
  };
}

function plannedOrNull(
  system: System,
  paths: SegmentPaths,
  path: string,
  method: string,
): PlannedCall | null {
  try {
    return plannedCall(system, paths, path, method) ?? null;
  } catch {
    // Swagger UI builds no request of a mistaken operation, nor while another document takes the place of its own.
    return null;
  }
}

function samplesOf(planned: string): readonly CodeSample[] {
  const call = JSON.parse(planned) as PlannedCall | null;
  if (call === null) return [];
  return [
    { label: 'curl', source: curlOf(call) },
    { label: 'TypeScript', source: fetchOf(call) },
  ];
}

function samplesIn(system: System, path: string, method: string): readonly CodeSample[] {
  return described(system, path, method).operation['x-codeSamples'] ?? [];
}
