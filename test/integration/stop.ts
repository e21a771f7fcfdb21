import { leaveEngine } from '../support/engine.ts';

export default leaveEngine;
