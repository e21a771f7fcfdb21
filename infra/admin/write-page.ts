// `npm run admin:page`: writes the commands into the operators' page. An entry of its own.
import { readFileSync, writeFileSync } from 'node:fs';
import { withSection } from '../text.ts';
import { commandsPage } from './program.ts';

const page = 'functions/admin/README.md';
writeFileSync(page, withSection(readFileSync(page, 'utf8'), 'commands', commandsPage()));
