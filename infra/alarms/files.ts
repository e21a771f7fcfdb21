import type { MalwareScan } from '../constructs/malware-scan.ts';
import { type AlarmSet, fiveMinutes } from './alarm-set.ts';
import { totalOf } from './total.ts';

/** The scan of uploaded files for malware. */
export function watchMalwareScan(alarms: AlarmSet, scan: MalwareScan): void {
  alarms.add('files-with-malware', {
    severity: 'ticket',
    runbook: 'Files with malware',
    metric: scan.scans('InfectedScanCount', fiveMinutes),
    above: 0,
    impact:
      'An organization uploaded a file with malware. It is not served, but its uploader may be at risk.',
  });
  const denied = scan.scans('SkippedScanCount', fiveMinutes, 'MissingPermissions');
  alarms.add('files-not-scanned', {
    severity: 'ticket',
    runbook: 'Files that are not scanned',
    metric: totalOf(
      [scan.scans('FailedScanCount', fiveMinutes), denied],
      'Files that GuardDuty could not or may not scan',
    ),
    above: 0,
    impact: 'A file could not be scanned for malware, so it cannot be downloaded or attached.',
  });
}
