import type { OpenCalls } from './open-calls.js';
import { isStream, readStream } from './read-stream.js';
import type { CallRequest, Component, Plugin, Props, System } from './swagger-ui.js';

/**
 * Shows the messages of a stream as they arrive, although Swagger UI waits for the end, and adds a button that stops
 * a call.
 */
// Why: docs/decisions/0034
export function streamsPlugin(calls: OpenCalls): Plugin {
  return (system) => ({
    statePlugins: {
      spec: {
        wrapActions: {
          executeRequest: (execute: (request: CallRequest) => unknown) => (request: CallRequest) =>
            execute({ ...request, userFetch: stoppableFetch(system, calls, request) }),
        },
      },
    },
    wrapComponents: {
      execute: (Execute: Component) => withStop(Execute, system, calls),
      responseBody: linesAsText,
    },
  });
}

function stoppableFetch(
  { specActions }: System,
  calls: OpenCalls,
  { pathName, method }: CallRequest,
): typeof fetch {
  return async (input, init) => {
    const controller = calls.begin(pathName, method);
    const { signal } = controller;
    try {
      const response = await fetch(input, { ...init, signal });
      const { body, headers, ok, status, statusText, url } = response;
      if (body === null || !isStream(headers)) return new Response(await response.blob(), response);
      const answer = { ok, url, status, statusText, headers: Object.fromEntries(headers) };
      const text = await readStream(body, (soFar) => {
        specActions.setResponse(pathName, method, { ...answer, text: soFar });
      });
      return new Response(text, response);
    } catch (error) {
      if (signal.aborted) throw new Error('The call was stopped.', { cause: error });
      throw error;
    } finally {
      calls.end(pathName, method, controller);
    }
  };
}

/** The button that starts a call, and next to it a button that stops the call while it is in progress. */
function withStop(Execute: Component, { React }: System, calls: OpenCalls): Component {
  const h = React.createElement;
  const subscribe = (changed: () => void): (() => void) => calls.subscribe(changed);
  return (props) => {
    const [path, method] = [String(props['path']), String(props['method'])];
    const isOpen = React.useSyncExternalStore(subscribe, () => calls.isOpen(path, method));
    const onClick = (): void => calls.stop(path, method);
    const stop = isOpen && h('button', { className: 'btn stop', type: 'button', onClick }, 'Stop');
    return h('div', { className: 'call-buttons' }, h(Execute, props), stop);
  };
}

/** Shows lines of JSON as text, because Swagger UI would parse them as one JSON value. */
function linesAsText(ResponseBody: Component, { React }: System): Component {
  return (props: Props) => {
    const isLines = /ndjson/.test(String(props['contentType']));
    return React.createElement(
      ResponseBody,
      isLines ? { ...props, contentType: 'text/plain' } : props,
    );
  };
}
