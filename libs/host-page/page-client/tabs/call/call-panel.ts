import type { CallSample, CallSamples, CallableMethod } from '../../../src/section-views.js';
import { DetailPanel } from '../../detail-panel.js';
import { byId } from '../../elements.js';
import { loaded } from '../../loaded.js';
import { AnswerView } from './answer-view.js';
import { readAnswer } from './incoming-answer.js';
import {
  type OutgoingRequest,
  type WrittenCall,
  outgoingRequest,
  sendsStream,
} from './outgoing-request.js';

const NAMES = { rest: 'REST', connect: 'Connect', 'grpc-web': 'gRPC-Web' } as const;

/** Why a call was cancelled whose answer nobody sees any more. */
const LEFT = 'left';

/** The form with which one method is called, by the viewer's own browser. */
export class CallPanel {
  readonly #panel: DetailPanel;
  readonly #way = byId('call-way') as HTMLSelectElement;
  readonly #target = byId('call-target') as HTMLInputElement;
  readonly #token = byId('call-token') as HTMLInputElement;
  readonly #headers = byId('call-headers') as HTMLTextAreaElement;
  readonly #body = byId('call-body') as HTMLTextAreaElement;
  readonly #asViewer = byId('call-as-viewer') as HTMLInputElement;
  readonly #send = byId('call-send') as HTMLButtonElement;
  readonly #cancel = byId('call-cancel') as HTMLButtonElement;
  readonly #answer = new AnswerView();
  #method: CallableMethod | null = null;
  #samples: CallSamples = [];
  #running: AbortController | null = null;

  /**
   * @param base the URL of the samples.
   * @param onChange called when a method was opened or closed, with the parameters of that.
   */
  constructor(
    private readonly base: URL,
    private readonly onChange: (params: Readonly<Record<string, string>>) => void,
  ) {
    this.#panel = new DetailPanel('called', byId('callables-title'), () => {
      this.#leave();
      onChange({});
    });
    this.#way.addEventListener('input', () => this.#fill());
    this.#send.addEventListener('click', () => void this.#call());
    this.#cancel.addEventListener('click', () => this.#running?.abort());
  }

  /** The method whose form is open; null if there is none. */
  get open(): string | null {
    return this.#panel.open;
  }

  /** Opens the form of a method, or closes it if it is open. */
  toggle(method: CallableMethod, opener: HTMLElement): void {
    if (this.open === method.method) {
      this.#panel.close();
      return;
    }
    this.show(method, opener);
    this.onChange({ method: method.method });
  }

  /** @param opener the button that was used. Default: it was opened by the address. */
  show(method: CallableMethod, opener?: HTMLElement): void {
    this.#leave();
    this.#method = method;
    this.#panel.show(method.method, method.method, opener);
    void this.#load(method);
  }

  hide(): void {
    this.#leave();
    this.#panel.hide();
  }

  /** What was typed about the caller stays, for the next method. */
  #leave(): void {
    this.#running?.abort(LEFT);
    this.#running = null;
    this.#method = null;
    this.#samples = [];
    this.#answer.clear();
    this.#showRunning(false);
  }

  async #load(method: CallableMethod): Promise<void> {
    const query = new URLSearchParams({ method: method.method }).toString();
    const found = await loaded<CallSamples>(
      new URL(`samples?${query}`, this.base),
      'there is no such method',
    );
    if (this.#method !== method) return;
    if (typeof found === 'string') {
      this.#answer.fail(found);
      return;
    }
    this.#samples = found;
    const options = found.map(({ protocol, httpMethod, target }, index) => {
      const text = `${NAMES[protocol]}${protocol === 'rest' ? ` ${httpMethod} ${target}` : ''}`;
      return new Option(text, `${index}`);
    });
    this.#way.replaceChildren(...options);
    this.#fill();
  }

  /** Writes the sample of the chosen way into the form. */
  #fill(): void {
    const sample = this.#sample();
    if (sample === undefined || this.#method === null) return;
    const { httpMethod, target, body } = sample;
    const isList = sendsStream(this.#method.kind);
    byId('call-verb').textContent = httpMethod;
    byId('call-body-label').textContent = isList ? 'Messages, as a JSON list' : 'Body';
    byId('call-body-field').hidden = body === null;
    this.#target.value = target;
    this.#body.value = body === null ? '' : isList ? `[${body}]` : body;
  }

  #sample(): CallSample | undefined {
    return this.#samples[this.#way.selectedIndex];
  }

  async #call(): Promise<void> {
    const call = this.#written();
    if (call === undefined || this.#running !== null) return;
    let request: OutgoingRequest;
    try {
      request = outgoingRequest(call, location.origin);
    } catch (error) {
      this.#answer.fail((error as Error).message);
      return;
    }
    const { signal } = (this.#running = new AbortController());
    this.#answer.begin();
    this.#showRunning(true);
    try {
      const response = await fetch(request.url, { ...request.init, signal });
      this.#answer.head(response);
      this.#answer.end(await readAnswer(call, response, this.#answer));
    } catch (error) {
      if (signal.reason === LEFT) return;
      this.#answer.fail(signal.aborted ? 'cancelled' : `no answer: ${(error as Error).message}`);
    }
    this.#running = null;
    this.#showRunning(false);
  }

  #written(): WrittenCall | undefined {
    const sample = this.#sample();
    if (sample === undefined || this.#method === null) return undefined;
    const { protocol, httpMethod, body } = sample;
    return {
      protocol,
      kind: this.#method.kind,
      httpMethod,
      target: this.#target.value.trim(),
      body: body === null ? null : this.#body.value,
      token: this.#token.value,
      headers: this.#headers.value,
      asViewer: this.#asViewer.checked,
    };
  }

  #showRunning(isRunning: boolean): void {
    this.#send.disabled = isRunning;
    this.#cancel.disabled = !isRunning;
  }
}
