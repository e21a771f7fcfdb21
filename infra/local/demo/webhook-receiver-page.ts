/** The page at /webhooks: live deliveries to the built-in receiver, newest first. */
export const receiverPage = (scriptPath: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Received webhooks</title>
<style>
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 2rem 1rem; }
ol { list-style: none; padding: 0; }
li { border: 1px solid gray; border-radius: .5rem; margin-bottom: .75rem; padding: .75rem 1rem; }
header { align-items: baseline; display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
header strong { overflow-wrap: anywhere; }
.signature { border: 1px solid gray; border-radius: 1rem; margin-left: auto; padding: .1rem .6rem; }
.verified { background: #1a7f3c; color: #fff; }
.wrong { background: #b3261e; color: #fff; }
pre { overflow-x: auto; }
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

const element = (name, text, className = '') => Object.assign(document.createElement(name), { textContent: text, className });

const show = ({ at, webhookId, signature, body }) => {
  let event = {};
  let text = body;
  try {
    event = JSON.parse(body);
    text = JSON.stringify(event, null, 2);
  } catch {}
  const { webhookType = 'not JSON', sequence, eventId = '?' } = event ?? {};
  const entry = element('li');
  const head = element('header');
  head.append(
    element('strong', webhookType),
    element('time', new Date(at).toLocaleTimeString()),
    element('span', sequence === undefined ? '' : 'sequence ' + sequence),
    element('span', signature === 'secret unknown' ? signature : 'signature ' + signature, 'signature ' + signature),
  );
  const details = element('details');
  details.append(element('summary', 'event ' + eventId + ' to webhook ' + webhookId), element('pre', text));
  entry.append(head, details);
  list.prepend(entry);
  count.textContent = list.children.length === 1 ? '1 delivery.' : list.children.length + ' deliveries.';
};

const source = new EventSource('${eventsPath}');
source.onopen = () => {
  list.replaceChildren();
  connection.textContent = 'Live.';
};
source.onerror = () => { connection.textContent = 'The connection broke; trying again.'; };
source.onmessage = ({ data }) => show(JSON.parse(data));
`;
