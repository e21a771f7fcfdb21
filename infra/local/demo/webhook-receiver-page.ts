/** The page at /webhooks: live deliveries to the built-in receiver, newest first. */
export const receiverPage = (scriptPath: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Received webhooks</title>
<style>
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 2rem 1rem; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
p { margin: 0 0 1.25rem; opacity: .8; }
ol { list-style: none; margin: 0; padding: 0; }
li { border: 1px solid var(--line); border-radius: .5rem; margin-bottom: .75rem; padding: .75rem 1rem; }
header { align-items: baseline; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
header strong { font-size: 1rem; overflow-wrap: anywhere; }
time, .place { font-size: .85rem; opacity: .7; }
.signature { border-radius: 1rem; font-size: .8rem; margin-left: auto; padding: .1rem .6rem; }
.verified { background: #1a7f3c; color: #fff; }
.wrong { background: #b3261e; color: #fff; }
.unknown { border: 1px solid var(--line); }
summary { cursor: pointer; font-size: .85rem; margin-top: .5rem; }
pre { font-size: .8rem; margin: .5rem 0 0; overflow-x: auto; }
</style>
</head>
<body>
<h1>Received webhooks</h1>
<p><span id="count">Nothing yet.</span> <span id="connection" role="status">Connecting…</span></p>
<ol id="received" aria-live="polite"></ol>
<script type="module" src="${scriptPath}"></script>
</body>
</html>
`;

/** Contents of deliveries are inserted as text, never as markup. */
export const receiverScript = (eventsPath: string): string => `
const list = document.getElementById('received');
const count = document.getElementById('count');
const connection = document.getElementById('connection');
let received = 0;

const element = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className !== undefined) made.className = className;
  return made;
};

const parsed = (body) => {
  try { return JSON.parse(body); } catch { return undefined; }
};

const show = ({ at, webhookId, signature, body }) => {
  const event = parsed(body) ?? {};
  const entry = element('li');
  const head = element('header');
  head.append(
    element('strong', event.webhookType ?? 'not JSON'),
    element('time', new Date(at).toLocaleTimeString()),
    element('span', event.sequence === undefined ? '' : 'sequence ' + event.sequence, 'place'),
    element('span', signature === 'verified' ? 'signature verified' : signature === 'wrong' ? 'signature wrong' : signature,
      'signature ' + (signature === 'secret unknown' ? 'unknown' : signature)),
  );
  const details = element('details');
  details.append(
    element('summary', 'event ' + (event.eventId ?? '?') + ' to webhook ' + webhookId),
    element('pre', parsed(body) === undefined ? body : JSON.stringify(event, null, 2)),
  );
  entry.append(head, details);
  list.prepend(entry);
  received += 1;
  count.textContent = received === 1 ? '1 delivery.' : received + ' deliveries.';
};

const source = new EventSource('${eventsPath}');
source.onopen = () => {
  list.replaceChildren();
  received = 0;
  connection.textContent = 'Live.';
};
source.onerror = () => { connection.textContent = 'The connection broke; trying again.'; };
source.onmessage = ({ data }) => show(JSON.parse(data));
`;
