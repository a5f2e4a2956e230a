import { byId, say } from '../../elements.js';
import { millisecondsText, numberText } from '../../texts.js';
import type { AnswerEnd } from './incoming-answer.js';

/** How many messages of a stream stay visible. */
const MOST_MESSAGES = 200;
/** How much of a message is shown, in UTF-16 units. */
const MOST_TEXT = 100_000;

/** Shows one answer while it comes. */
export class AnswerView {
  readonly #box = byId('call-answer');
  readonly #messages = byId('call-messages');
  readonly #headers = byId('call-answer-headers');
  readonly #status = byId('call-status');
  #began = 0;
  #count = 0;

  begin(): void {
    this.#began = performance.now();
    this.#count = 0;
    this.#messages.replaceChildren();
    this.#headers.textContent = '';
    this.#box.hidden = true;
    this.#say('sent', '');
  }

  head({ headers }: Response): void {
    this.#box.hidden = false;
    this.#headers.textContent = linesOf([...headers]);
  }

  onMessage(text: string): void {
    this.#count += 1;
    const item = document.createElement('li');
    const time = document.createElement('time');
    time.textContent = `+${this.#elapsed()}`;
    const content = document.createElement('pre');
    content.textContent =
      text.length > MOST_TEXT
        ? `${text.slice(0, MOST_TEXT)}… ${numberText(text.length - MOST_TEXT)} more characters`
        : text;
    item.append(time, content);
    this.#messages.append(item);
    if (this.#messages.childElementCount > MOST_MESSAGES)
      this.#messages.firstElementChild!.remove();
  }

  end({ isOk, text, trailers }: AnswerEnd): void {
    if (trailers.length > 0) {
      this.#headers.textContent += `\n\ntrailers\n${linesOf(trailers)}`;
    }
    this.#say(`${text} · ${this.#countText()}${this.#elapsed()}`, isOk ? 'good' : 'bad');
  }

  /** For a call that has no answer, or that was not made. */
  fail(text: string): void {
    this.#say(text, 'bad');
  }

  clear(): void {
    this.begin();
    this.#say('', '');
  }

  #countText(): string {
    if (this.#count < 2) return '';
    const left = Math.max(0, this.#count - MOST_MESSAGES);
    const shown = left > 0 ? `, the last ${MOST_MESSAGES} shown` : '';
    return `${numberText(this.#count)} messages${shown} · `;
  }

  #elapsed(): string {
    return millisecondsText(performance.now() - this.#began);
  }

  #say(text: string, look: string): void {
    say(this.#status, text);
    this.#status.className = `text ${look}`;
  }
}

function linesOf(entries: AnswerEnd['trailers']): string {
  return entries.map(([name, value]) => `${name}: ${value}`).join('\n');
}
