// SPDX-License-Identifier: Apache-2.0

// Package jobs is a client of the job queue that spec/jobs declares: it puts
// jobs in and follows them to their end, and it runs jobs for others.
//
//	b, err := jobs.Connect(ctx, r, w, jobs.Options{})
//	job, err := b.Queue("mail").Submit(ctx, "welcome-42", "send", jobs.SubmitParams{Input: letter})
//	for p := range job.Progress() { … }
//	end, err := job.Settled(ctx)
//
// All of it is generated, and none of it may be written by hand: the queue is
// the protocol by which the kit is kept general. Its tests have a broker in
// memory.
package jobsclient
