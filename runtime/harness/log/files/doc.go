// SPDX-License-Identifier: Apache-2.0

// Package files knows where DSH's session logs lie below a home:
//
//	sessions/<project>/<session>/session.v4.jsonl[.zstd]
//
// The project is a lossy form of the session's working directory, so a session is
// looked for by its id in all of them, and then checked against its header. The
// session's name is its id, encoded so that no id leaves its directory.
//
// One home has one encoding: DSH refuses all sessions of a home with both. A
// session that cannot be read hides no other; it is listed as a Stray.
//
// The package must never write: what it reads is an fs.FS.
package files
