import type { MalwareScan } from '../constructs/malware-scan.ts';
import { type AlarmSet, fiveMinutes } from './alarm-set.ts';

/** The scan of uploaded files for malware. */
export function watchMalwareScan(alarms: AlarmSet, scan: MalwareScan): void {
  alarms.add('files-with-malware', {
    runbook: 'Files with malware',
    metric: scan.scans('InfectedScanCount', fiveMinutes),
    above: 0,
    impact:
      'An organization uploaded a file with malware. It is not served, but its uploader may be at risk.',
  });
  alarms.add('failed-malware-scans', {
    runbook: 'Files that are not scanned',
    metric: scan.scans('FailedScanCount', fiveMinutes),
    above: 0,
    impact: 'A file could not be scanned for malware, so it cannot be downloaded or attached.',
  });
  alarms.add('denied-malware-scans', {
    runbook: 'Files that are not scanned',
    metric: scan.scans('SkippedScanCount', fiveMinutes, 'MissingPermissions'),
    above: 0,
    impact: 'GuardDuty may not read uploaded files, so they cannot be downloaded or attached.',
  });
}
