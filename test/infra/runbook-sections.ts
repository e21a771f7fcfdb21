import { readFileSync } from 'node:fs';

/** A section of the runbook; those of alarms have severities at the end of their headings. */
interface Section {
  readonly heading: string;
  /** `page or ticket` of "Old messages (page or ticket)". */
  readonly severities: readonly string[];
  readonly text: string;
}

function sectionsOf(part: string): Section[] {
  return part
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const title = text.slice(0, text.indexOf('\n'));
      const [, heading = title, severities] =
        /^(.+) \(((?:page|ticket|rollback|dashboard)(?: or (?:page|ticket|rollback|dashboard))*)\)$/.exec(
          title,
        ) ?? [];
      return { heading, severities: severities?.split(' or ') ?? [], text };
    });
}

const [ofAlarms = '', ofProcedures = ''] = readFileSync('infra/runbook.md', 'utf8').split('\n# Procedures\n');

/** What the runbook has for alarms and for what the dashboard shows. */
export const alarmSections = sectionsOf(ofAlarms);

/** What it has for other occasions. */
export const procedures = sectionsOf(ofProcedures);
