import { useEffect, useRef, useState } from 'preact/hooks';
import { useCalls } from '../data/organization.js';
import type { Message } from '../data/records.js';
import { root } from '../root.js';
import { words } from '../words/words.js';
import { embeddedIn, withEmbedded } from './embedded-images.js';

const { thread: text } = words;
const REMOTE = /\b(?:src|background|srcset)\s?=\s?["']?(?:https?:)?\/\/|url\(\s?["']?(?:https?:)?\/\//i;
const LINE = 20;

interface Props {
  html: string;
  message: Message;
  label: string;
  isTall: boolean;
}

/**
 * A mail as its author designed it, in a document without an origin, scripts or forms, which loads nothing from elsewhere until
 * asked. Nobody can measure such a document: its height is guessed from the text, and can be changed.
 */
export function MailFrame({ html, message, label, isTall }: Props) {
  const [withImages, setWithImages] = useState(false);
  const embedded = useEmbedded(html, message);
  return (
    <>
      {REMOTE.test(html) && !withImages && (
        <p class="quiet small remote">
          {text.remote}{' '}
          <button class="button link small" onClick={() => setWithImages(true)}>
            {text.showImages}
          </button>
        </p>
      )}
      <Frame
        key={`${withImages} ${embedded.length}`}
        {...{ withImages, label, isTall }}
        html={embedded}
        lines={linesOf(message)}
      />
    </>
  );
}

interface FrameProps {
  html: string;
  label: string;
  lines: number;
  withImages: boolean;
  isTall: boolean;
}

function Frame({ html, label, lines, withImages, isTall }: FrameProps) {
  const outer = useRef<HTMLIFrameElement>(null);
  const fill = () => {
    const between = outer.current?.contentDocument;
    if (!between || between.querySelector('iframe')) return;
    const inner = between.createElement('iframe');
    // A link opens a page of its own, by a click alone.
    inner.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
    inner.setAttribute('title', label);
    inner.srcdoc = documentOf(html, withImages);
    between.body.append(inner);
  };
  const height = Math.min(Math.max(lines * LINE + 80, 200), 480);
  return (
    <iframe
      ref={outer}
      class="mail"
      title={label}
      src={`${root.console}mail-frame${withImages ? '?images=true' : ''}`}
      style={{ height: isTall ? '80vh' : `${height}px` }}
      onLoad={fill}
    />
  );
}

const linesOf = ({ content }: Message): number =>
  content.split('\n').reduce((lines, line) => lines + 1 + Math.floor(line.length / 90), 0);

/** The policy once more, in the document itself; colours as on paper, for which mails are made. */
const documentOf = (html: string, withImages: boolean): string => `<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:${
  withImages ? ' https: http:' : ''
}; form-action 'none'; base-uri 'none'"><meta name="referrer" content="no-referrer"><base target="_blank">
<style>html { color-scheme: light; background: #fff; color: #1b1f26; font: 14px/20px system-ui, sans-serif; overflow-wrap: anywhere }
body { margin: 12px } img, table { max-width: 100% } img { height: auto }</style>${html}`;

/** Images that came with the mail in place of their `cid:` addresses. */
function useEmbedded(html: string, { conversation_id, message_id, attachments }: Message): string {
  const calls = useCalls();
  const [shown, setShown] = useState(html);
  useEffect(() => {
    const shownIn = embeddedIn(html);
    const images = attachments.filter(
      ({ content_id, content_type }) =>
        content_id !== null && content_type.startsWith('image/') && shownIn.has(content_id),
    );
    if (images.length === 0) return;
    const load = async () => {
      const urls = new Map<string, string>();
      for (const { attachment_id, content_id } of images) {
        const path = { conversation_id, message_id, attachment_id };
        const route = '/conversations/{conversation_id}/messages/{message_id}/attachments/{attachment_id}';
        const bytes = await calls.file(route, { params: { path } });
        urls.set(content_id!, await dataUrl(bytes));
      }
      setShown(withEmbedded(html, urls));
    };
    load().catch(() => undefined);
  }, [html]);
  return shown;
}

const dataUrl = (bytes: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new Error(reader.error?.message));
    reader.readAsDataURL(bytes);
  });
